/** What is known of the values in blocks of datasets, in memory. Knows no file. */
package org.hyperslab.plugins.nativevol.statistics;
