/** The chunks of a dataset: the grid that they form, and which kind of index finds them. */
package org.hyperslab.format.index.grid;
