/**
 * Links of old-style groups: a version 1 B-tree whose leaves refer to symbol table nodes, and a
 * local heap of names.
 */
package org.hyperslab.format.index.symbol;
