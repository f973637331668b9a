// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;

import io.hearth.common.model.ServerId;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class PlanLoggerTest {

    private static final String WHY = "it was restarted 3 times within an hour";

    private final Logger log = mock(Logger.class);
    private final PlanLogger logger = new PlanLogger(log);

    private static ServerId server(long startCode) {
        return new ServerId("a", 16020, startCode);
    }

    @Test
    void aServerThatFlapsIsToldOnceAtTheBeginningAndOnceAtTheEnd() {
        logger.flapping(Map.of(server(4), WHY));
        logger.flapping(Map.of(server(4), WHY));
        logger.flapping(Map.of());
        logger.flapping(Map.of());

        verify(log).warn("{} is given no regions for the sake of heat: {}.", server(4), WHY);
        verify(log).info("{} does not flap any more: it gets regions again.", "a:16020");
        verifyNoMoreInteractions(log);
    }

    @Test
    void oneThatRestartsOnceMoreIsTheSame() {
        logger.flapping(Map.of(server(4), WHY));
        logger.flapping(Map.of(server(5), WHY));

        verify(log).warn("{} is given no regions for the sake of heat: {}.", server(4), WHY);
        verifyNoMoreInteractions(log);
    }
}
