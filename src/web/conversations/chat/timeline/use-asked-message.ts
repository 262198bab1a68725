import { useEffect } from 'react'
import { useSearchParams } from 'wouter'

/** Leads once to the message of an address with `&mensagem=`, and takes it out of the address. */
export function useAskedMessage(isLoaded: boolean, jump: (messageId: number) => void): void {
  const [params, setParams] = useSearchParams()
  const asked = params.get('mensagem')
  useEffect(() => {
    if (!isLoaded || asked === null) return
    if (/^[1-9]\d{0,9}$/.test(asked)) jump(Number(asked))
    setParams(
      (now) => {
        now.delete('mensagem')
        return now
      },
      { replace: true },
    )
  }, [isLoaded, asked, jump, setParams])
}
