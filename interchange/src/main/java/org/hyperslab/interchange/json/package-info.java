/** JSON as values and as text, and what describes objects, types and elements in it. */
package org.hyperslab.interchange.json;
