/** All filters of this project together. */
package org.hyperslab.format.filter.builtin;
