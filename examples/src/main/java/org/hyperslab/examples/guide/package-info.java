/**
 * Short programs, each for a typical use, written with the public API only. Copy one as a starting
 * point.
 */
package org.hyperslab.examples.guide;
