/** Open datasets, and how new ones are laid out. */
package org.hyperslab.plugins.nativevol.dataset;
