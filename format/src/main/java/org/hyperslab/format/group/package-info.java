/**
 * Groups of the old style: a B-tree of version 1 whose leaves lead to symbol table nodes, and a
 * local heap of names.
 */
package org.hyperslab.format.group;
