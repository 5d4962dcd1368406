/** A read-only connector over jHDF, so that any file can be read by two independent engines. */
package org.hyperslab.plugins.jhdf;
