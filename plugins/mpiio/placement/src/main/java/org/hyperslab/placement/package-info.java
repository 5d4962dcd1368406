/** Measures the levels of a machine that connect the ranks of a running job. */
package org.hyperslab.placement;
