// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.healer.core.PauseSwitch.PauseState;
import java.io.IOException;

/** Where a pause or an alarm outlives the process. */
public interface PauseStore {

    /** What was kept last; released where nothing is kept. */
    PauseState load() throws IOException;

    void save(PauseState state) throws IOException;
}
