// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.ui.hbase.AdminActionExecutor.Caller;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

class AdminActionExecutorTest {

    private static String named(String parameters) {
        return AdminActionExecutor.named(JsonParser.parseString(parameters).getAsJsonObject());
    }

    @Test
    void theLogSaysWhatAnActionWasAbout() {
        assertThat(named("{\"table\":\"usertable\"}")).isEqualTo(" table usertable");
        assertThat(named("{\"region\":\"07af\"}")).isEqualTo(" region 07af");
        assertThat(named("{\"regions\":[\"07af\",\"07b0\"]}")).isEqualTo(" of 2 regions");
        assertThat(named("{}")).isEmpty();
    }

    @Test
    void nothingElseOfARequestGetsIntoTheLog() {
        assertThat(named("{\"padding\":\"" + "x".repeat(300) + "\",\"table\":\"usertable\"}"))
                .isEqualTo(" table usertable");
        assertThat(named("{\"table\":\"a\\nWARN forged\"}")).isEqualTo(" table a?WARN forged");
        assertThat(named("{\"region\":\"" + "x".repeat(300) + "\"}")).isEqualTo(" region " + "x".repeat(80) + "...");
    }

    @Test
    void aUserIsOneLine() {
        assertThat(new Caller("bob\nWARN forged", "by bin/hearth").name()).isEqualTo("bob?WARN forged");
    }
}
