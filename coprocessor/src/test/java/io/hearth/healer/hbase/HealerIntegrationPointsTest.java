// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.junit.jupiter.api.Test;

/**
 * What the healer takes for granted about HBase and the compiler can't hold. docs/internals.md names the test for each seam;
 * this one runs on every line of HBase.
 */
class HealerIntegrationPointsTest {

    /** HBase looks for it when it loads the class, and only then hands over the master's services. */
    @Test
    void theMarkOfACoreCoprocessorIsThereAtRunTime() {
        assertThat(LocalityHealingObserver.class.isAnnotationPresent(CoreCoprocessor.class))
                .isTrue();
        assertThat(CoreCoprocessor.class.getAnnotation(Retention.class).value()).isEqualTo(RetentionPolicy.RUNTIME);
    }
}
