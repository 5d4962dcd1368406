/** What commands share: paths and types in a file, datasets of any size in pieces, outputs. */
package org.hyperslab.tools.walk;
