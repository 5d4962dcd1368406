/**
 * Offers the parts of the native engine that a connector needs whose ranks move the bytes of
 * datasets themselves: where the bytes are, and how places for new ones come to be. Files and
 * objects it reaches by operations, as everyone.
 */
package org.hyperslab.plugins.nativevol.raw;
