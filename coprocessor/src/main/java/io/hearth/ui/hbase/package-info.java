/**
 * Adapter: the page in the HMaster's own web UI. The filter that answers under {@code /hearth}, the thread that publishes what it
 * answers from, the JSON, and what an operator may ask for.
 */
@NullMarked
package io.hearth.ui.hbase;

import org.jspecify.annotations.NullMarked;
