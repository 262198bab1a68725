import { Page } from '#web/ui/layout/page.tsx'
import { ProfileForm } from './profile-form.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { SilentHoursSection } from '#web/users/silence/silent-hours-section.tsx'

/** `/perfil`: one's own account. @see specification §2 Shell, profile editor */
export function ProfileScreen() {
  return (
    <Page title="Meu perfil" subtitle="Seus dados, sua senha e onde sua conta está aberta">
      <ProfileForm>
        <SilentHoursSection />
        <SecondFactorSection />
        <SessionsSection />
      </ProfileForm>
    </Page>
  )
}
