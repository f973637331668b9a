// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.console;

/** One piece of work that is under way, from 0 to a known total; closing it ends its bar. */
public interface Progress extends AutoCloseable {

    /** How much is done now, and a few words on what is happening. */
    void update(long done, String note);

    @Override
    void close();
}
