/** What a web server serves, to whom, and within which limits. */
package org.hyperslab.web.options;
