/** Reads a live cluster for the doctor by HBase's client and the web UIs, and writes findings as JSON. An adapter. */
@NullMarked
package io.hearth.doctor.hbase;

import org.jspecify.annotations.NullMarked;
