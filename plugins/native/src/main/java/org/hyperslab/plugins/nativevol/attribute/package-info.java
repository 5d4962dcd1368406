/** The attributes of objects, in headers or in dense storage. */
package org.hyperslab.plugins.nativevol.attribute;
