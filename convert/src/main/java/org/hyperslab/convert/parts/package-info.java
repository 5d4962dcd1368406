/** Files of several parts: the stripes of the subfiling driver, and files of ranks in a list. */
package org.hyperslab.convert.parts;
