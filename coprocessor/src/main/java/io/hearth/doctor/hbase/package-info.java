/** Reads a live cluster for the doctor by HBase's client and the web UIs, and writes findings as JSON. A bridge. */
package io.hearth.doctor.hbase;
