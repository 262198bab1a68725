/** The page's style nonce, put there by the server: style elements without it are refused by the policy. */
export function styleNonce(): string | undefined {
  const content = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
  return content === '' ? undefined : content
}
