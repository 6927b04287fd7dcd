package example;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.library.FerryClient;
import java.io.IOException;
import java.io.InputStream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * A service of Spring Boot whose files are on a Ferry server. It passes bodies of requests on to
 * Ferry and files of Ferry on to its clients, without a temporary file and without holding them in
 * memory.
 */
@SpringBootApplication
public class FilesApplication {
  public static void main(String[] args) {
    SpringApplication.run(FilesApplication.class, args);
  }

  /** The client of all requests. Spring closes it at the end. */
  @Bean
  FerryClient ferry(@Value("${ferry.server}") String address) throws IOException {
    return FerryClient.connect(address);
  }

  @RestController
  static class Files {
    private final FerryClient ferry;

    Files(FerryClient ferry) {
      this.ferry = ferry;
    }

    @PutMapping("/files/{*path}")
    @ResponseStatus(HttpStatus.CREATED)
    void upload(
        @PathVariable String path,
        @RequestHeader(name = HttpHeaders.CONTENT_LENGTH, defaultValue = "-1") long length,
        InputStream body)
        throws FerryException {
      // With its length, a body that is cut does not become a file.
      ferry.upload(path, body, length);
    }

    @GetMapping("/files/{*path}")
    ResponseEntity<StreamingResponseBody> download(@PathVariable String path)
        throws FerryException {
      FileFacts facts = ferry.stat(path);
      if (facts.directory()) {
        throw new FerryException(ErrorKind.NOT_FOUND, path + ": is a folder, not a file");
      }
      // A failure while the body is written ends the connection, so that the client sees it.
      return ResponseEntity.ok()
          .contentType(MediaType.APPLICATION_OCTET_STREAM)
          .contentLength(facts.size())
          .body(body -> ferry.download(path, body));
    }

    @ExceptionHandler
    ProblemDetail failed(FerryException failure) {
      HttpStatus status =
          switch (failure.kind()) {
            case NOT_FOUND -> HttpStatus.NOT_FOUND;
            case INVALID_PATH, INVALID_REQUEST -> HttpStatus.BAD_REQUEST;
            default -> HttpStatus.BAD_GATEWAY;
          };
      return ProblemDetail.forStatusAndDetail(status, failure.getMessage());
    }
  }
}
