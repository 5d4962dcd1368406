/** Virtual datasets: mappings, the extent that follows the sources, and transfers through them. */
package org.hyperslab.plugins.nativevol.virtual;
