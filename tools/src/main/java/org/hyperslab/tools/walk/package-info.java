/** Walks that commands share: paths and types in a file, and datasets of any size in pieces. */
package org.hyperslab.tools.walk;
