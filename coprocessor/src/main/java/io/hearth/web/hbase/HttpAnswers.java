package io.hearth.web.hbase;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Writes an answer as a servlet's response. */
final class HttpAnswers {

    private HttpAnswers() {}

    static void send(Answer answer, HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (response.isCommitted()) {
            return;
        }
        response.setStatus(answer.status());
        response.setContentType(answer.contentType());
        Answer.SECURITY_HEADERS.forEach(response::setHeader);
        answer.headers().forEach(response::setHeader);
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        response.setContentLength(body.length);
        if (!request.getMethod().equals("HEAD")) {
            response.getOutputStream().write(body);
        }
    }
}
