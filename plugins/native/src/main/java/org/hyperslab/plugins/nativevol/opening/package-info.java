/**
 * Opens files by name: those of programs, those that external links name, and those of the sources
 * of virtual datasets.
 */
package org.hyperslab.plugins.nativevol.opening;
