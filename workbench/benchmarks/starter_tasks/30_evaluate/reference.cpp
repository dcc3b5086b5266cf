#include <cctype>
#include <string>

namespace {

class Parser {
  public:
    explicit Parser(const std::string& text) {
        for (char c : text) {
            if (c != ' ') {
                text_ += c;
            }
        }
    }

    long long terms() {
        long long value = product();
        while (peek() == '+' || peek() == '-') {
            if (text_[position_++] == '+') {
                value += product();
            } else {
                value -= product();
            }
        }
        return value;
    }

  private:
    char peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }

    long long product() {
        long long value = factor();
        while (peek() == '*') {
            ++position_;
            value *= factor();
        }
        return value;
    }

    long long factor() {
        if (peek() == '(') {
            ++position_;
            const long long value = terms();
            ++position_;
            return value;
        }
        long long value = 0;
        while (std::isdigit(static_cast<unsigned char>(peek()))) {
            value = value * 10 + (text_[position_++] - '0');
        }
        return value;
    }

    std::string text_;
    std::size_t position_ = 0;
};

}  // namespace

long long evaluate(const std::string& expression) {
    return Parser(expression).terms();
}
