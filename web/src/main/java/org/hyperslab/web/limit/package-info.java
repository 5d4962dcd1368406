/** What one request, and all together, may use: elements, seconds and memory. */
package org.hyperslab.web.limit;
