/** Walks that commands share: paths and types met in a file, datasets of any size in pieces. */
package org.hyperslab.tools.walk;
