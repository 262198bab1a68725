/** Input and output of a command. */
export interface Terminal {
  /** Prints a line of the result, for people and scripts. */
  print(line: string): void
  /** Prints a line that is not part of the result. */
  warn(line: string): void
  readNewPassword(): Promise<string>
}
