/** The containers of Blosc and Blosc 2, and their filters. */
package org.hyperslab.format.filter.blosc;
