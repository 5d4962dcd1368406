/**
 * The objects of one open file: puts headers, groups, attributes and datasets together to create,
 * describe and delete objects.
 */
package org.hyperslab.plugins.nativevol.object;
