/**
 * Remote files: resources of web servers, read by ranges, and objects in buckets (S3). Their stores
 * are opened through {@link org.hyperslab.format.store.RemoteStores}.
 */
package org.hyperslab.remote;
