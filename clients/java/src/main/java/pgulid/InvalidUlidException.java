package pgulid;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/** Not an id. Spring MVC answers 400 to it, also if it is the cause of another error; without Spring, that is ignored. */
@ResponseStatus(HttpStatus.BAD_REQUEST)
public class InvalidUlidException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    public InvalidUlidException(String text) {
        super("Invalid ULID: \"" + text + "\"");
    }
}
