// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import java.io.IOException;

/** Healing could not log in. Its message is one line that says why and what to do: there is nothing to see in its stack. */
public final class HealerLoginException extends IOException {

    HealerLoginException(String message) {
        super(message);
    }
}
