// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

class RunningVersionsTest {

    private static JsonObject page(String text) {
        return JsonParser.parseString(text).getAsJsonObject();
    }

    @Test
    void theMastersHearthIsWhatItsPageSays() {
        assertThat(RunningVersions.Question.hearth(
                        page("{\"overview\":{\"build\":{\"version\":\"0.1.0\",\"commit\":\"68269af9\"}}}")))
                .contains("0.1.0 (68269af9)");
    }

    @Test
    void aMasterThatDoesNotSayItIsUnknown() {
        assertThat(RunningVersions.Question.hearth(page("{\"overview\":{\"servers\":3}}")))
                .isEmpty();
        assertThat(RunningVersions.Question.hearth(page("{}"))).isEmpty();
    }
}
