/** Figures and tables of papers, computed again in virtual time. */
package org.hyperslab.tools.figure;
