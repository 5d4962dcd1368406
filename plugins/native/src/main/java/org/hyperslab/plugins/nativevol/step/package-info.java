/** Steps of a file: their table, what is published, and who waits for whom. */
package org.hyperslab.plugins.nativevol.step;
