// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.console;

/** Where the demo prints. Implementations are safe to use from several threads. */
public interface DemoConsole {

    /** Prints lines as they are; an empty text is an empty line. */
    void print(String text);

    /** Begins a phase. */
    void phase(String title);

    /** Begins a piece of work; {@code unit} is written after the numbers, such as {@code MB}. */
    Progress progress(String what, long total, String unit);

    /** The text as this console shows what is good, in colour where there is colour. */
    String good(String text);

    /** The text as this console shows what is bad. */
    String bad(String text);

    /** One piece of work that is under way, from 0 to a known total; closing it ends its bar. */
    interface Progress extends AutoCloseable {

        /** How much is done now, and a few words on what is happening. */
        void update(long done, String note);

        @Override
        void close();
    }
}
