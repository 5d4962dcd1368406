/**
 * The object headers of a file, with what they share: messages, references, and cached listings.
 * Nothing here knows what groups, attributes and datasets contain.
 */
package org.hyperslab.plugins.nativevol.header;
