/** Open objects and the numbers that stand for them in C. */
package org.hyperslab.plugins.libhdf5.object;
