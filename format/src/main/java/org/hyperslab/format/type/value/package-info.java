/**
 * Conversion between elements and Java values: any element as a tree of objects, and Java's arrays,
 * strings, records and enums as elements.
 */
package org.hyperslab.format.type.value;
