/** Filter 32001, Blosc: the container of Blosc 1 and its own coder BloscLZ. */
package org.hyperslab.format.filter.blosc;
