/**
 * The objects of one open file: headers, groups and their links, paths, attributes, committed
 * types, reference counts, deletion and copying. Datasets' elements are in the package beside it.
 */
package org.hyperslab.plugins.nativevol.object;
