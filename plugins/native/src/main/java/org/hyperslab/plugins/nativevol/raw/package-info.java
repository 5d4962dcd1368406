/**
 * Offers the parts of the native engine that a connector needs whose ranks transfer the bytes of
 * datasets themselves: the places of the bytes, and the allocation of new ones. Such a connector
 * reaches files and objects by ordinary operations.
 */
package org.hyperslab.plugins.nativevol.raw;
