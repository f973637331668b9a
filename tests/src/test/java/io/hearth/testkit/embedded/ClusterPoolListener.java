// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Closes the clusters that tests of this JVM have shared, after the last of them. */
public final class ClusterPoolListener implements LauncherSessionListener {

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        ClusterPool.JVM_WIDE.clear();
    }
}
