// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.util.VersionInfo;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** A process that runs the tests of one class with the Hadoop of its class path, and ends with 0 if there were some and all passed. */
final class TestClassProcess {

    private static final int STACK_LINES = 40;

    private TestClassProcess() {}

    /** @param args the version that Hadoop has to have, and the class */
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        if (!VersionInfo.getVersion().equals(args[0])) {
            out.println("Hadoop is " + VersionInfo.getVersion() + ", not " + args[0]);
            System.exit(2);
        }
        TestExecutionSummary summary = run(args[1]);
        summary.printTo(out);
        summary.printFailuresTo(out, STACK_LINES);
        boolean allPassed = summary.getTestsSucceededCount() > 0
                && summary.getTestsSucceededCount() == summary.getTestsFoundCount()
                && summary.getTotalFailureCount() == 0;
        // A mini cluster leaves threads behind.
        System.exit(allPassed ? 0 : 1);
    }

    private static TestExecutionSummary run(String testClass) {
        // The build's own listeners belong to libraries that are not here.
        LauncherConfig config = LauncherConfig.builder()
                .enableLauncherSessionListenerAutoRegistration(false)
                .build();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(testClass))
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create(config).execute(request, listener);
        return listener.getSummary();
    }
}
