/** The blocks of the arrays, fixed or extensible, that index chunks by number. */
package org.hyperslab.format.index.array;
