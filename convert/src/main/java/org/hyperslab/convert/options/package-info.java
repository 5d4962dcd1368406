/** The formats and options of a conversion, and its report. */
package org.hyperslab.convert.options;
